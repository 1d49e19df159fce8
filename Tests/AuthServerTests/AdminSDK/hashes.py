"""Hashes of one password by every algorithm that the SDK knows, made with Python's libraries and not the server's."""

import hashlib
import hmac

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from firebase_admin import auth

PASSWORD = "correct horse"
SALT = b"NaCl and pepper"
KEY = b"the signer key of another project"


def _hmac(name: str) -> bytes:
    return hmac.new(KEY, PASSWORD.encode() + SALT, name).digest()


def _digest(name: str) -> bytes:
    return hashlib.new(name, SALT + PASSWORD.encode()).digest()


def _scrypt(separator: bytes) -> bytes:
    """Firebase's own scrypt: the signer key, encrypted with what scrypt derives from the password."""
    derived = hashlib.scrypt(
        PASSWORD.encode(), salt=SALT + separator, n=2**14, r=8, p=1, maxmem=64 << 20, dklen=64)
    cipher = Cipher(algorithms.AES(derived[:32]), modes.CTR(bytes(16))).encryptor()
    return cipher.update(KEY) + cipher.finalize()


#: The SDK's description, the hash and the salt of each algorithm.
HASHES = {
    "hmac_sha512": (auth.UserImportHash.hmac_sha512(key=KEY), _hmac("sha512"), SALT),
    "hmac_sha256": (auth.UserImportHash.hmac_sha256(key=KEY), _hmac("sha256"), SALT),
    "hmac_sha1": (auth.UserImportHash.hmac_sha1(key=KEY), _hmac("sha1"), SALT),
    "hmac_md5": (auth.UserImportHash.hmac_md5(key=KEY), _hmac("md5"), SALT),
    "md5": (auth.UserImportHash.md5(rounds=0), _digest("md5"), SALT),
    "sha1": (auth.UserImportHash.sha1(rounds=1), _digest("sha1"), SALT),
    "sha256": (auth.UserImportHash.sha256(rounds=1), _digest("sha256"), SALT),
    "sha512": (auth.UserImportHash.sha512(rounds=1), _digest("sha512"), SALT),
    "pbkdf_sha1": (
        auth.UserImportHash.pbkdf_sha1(rounds=1000),
        hashlib.pbkdf2_hmac("sha1", PASSWORD.encode(), SALT, 1000), SALT),
    "pbkdf2_sha256": (
        auth.UserImportHash.pbkdf2_sha256(rounds=1000),
        hashlib.pbkdf2_hmac("sha256", PASSWORD.encode(), SALT, 1000), SALT),
    "scrypt": (
        auth.UserImportHash.scrypt(key=KEY, rounds=8, memory_cost=14, salt_separator=b"Bw"),
        _scrypt(b"Bw"), SALT),
    "bcrypt": (
        auth.UserImportHash.bcrypt(),
        b"$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e", None),
    "standard_scrypt": (
        auth.UserImportHash.standard_scrypt(
            memory_cost=1024, parallelization=16, block_size=8, derived_key_length=64),
        hashlib.scrypt(PASSWORD.encode(), salt=SALT, n=1024, r=8, p=16, dklen=64), SALT),
}

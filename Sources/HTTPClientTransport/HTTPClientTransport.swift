import AsyncHTTPClient
import AuthCore
import NIOCore

import ArgumentParser
import Commands

ProgramInput.checkOrExit()
AuthGraphCommand.main(ProgramInput.arguments)

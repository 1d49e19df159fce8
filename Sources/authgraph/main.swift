import ArgumentParser
import Commands

AuthGraphCommand.main()

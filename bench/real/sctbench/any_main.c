// Calls a `main` whose second parameter has a type that clang refuses: compile the program with -Dmain=program.
#undef main
extern int program();

int main(int argc, char **argv) { return program(argc, argv); }

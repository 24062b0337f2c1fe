# Glue and WebAssembly (compressed, base64) as the source of reports/html/live_program.hpp.
execute_process(COMMAND ${GZIP} -9nc ${WASM} COMMAND ${BASE64} -w0 OUTPUT_VARIABLE packed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${GLUE} glue)
file(WRITE ${OUTPUT} "#include \"reports/html/live_program.hpp\"\n\nstd::string_view headrace::reports::live_program() {\n"
     "  return R\"HEADRACE(${glue}\nconst packedProgram = '${packed}';\n)HEADRACE\";\n}\n")

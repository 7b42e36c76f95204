/**
 * What a script was asked for. Where it was asked for help it tells that, and where it cannot read its arguments it says why;
 * either ends the process.
 * @param read throws where an argument makes no sense
 */
export function parseCliArgs<Values extends { help: boolean }>(
  help: string,
  read: () => Values,
): Values {
  let values: Values;
  try {
    values = read();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    process.exit(1);
  }
  if (values.help) {
    console.log(help);
    process.exit(0);
  }
  return values;
}

import { parseArgs, type ParseArgsConfig } from 'node:util';

type OptionsConfig = NonNullable<ParseArgsConfig['options']>;

const COMMON = {
  origin: { type: 'string', default: 'http://localhost:3000' },
  help: { type: 'boolean', default: false },
} as const;

type Values<Options extends OptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options & typeof COMMON }>
>['values'];

/**
 * Parses the arguments of a command. Prints the help and exits if an argument is invalid, or with `--help`.
 * @param options besides `--origin` and `--help`
 * @param read converts the values, with an origin without a slash at its end; throws when one is invalid
 */
export function parseCliArgs<const Options extends OptionsConfig, Result>(
  help: string,
  options: Options,
  read: (values: Values<Options>, origin: string) => Result,
): Result {
  try {
    const { values } = parseArgs({ options: { ...options, ...COMMON } });
    const { origin, help: isHelp } = values as Values<typeof COMMON>;
    if (!isHelp) return read(values, origin.replace(/\/$/, ''));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    process.exit(1);
  }
  console.log(help);
  process.exit(0);
}

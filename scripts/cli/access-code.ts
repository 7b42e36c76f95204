import { parseCliArgs } from './parse-cli-args.ts';
import { makeCode, requireRunning } from './api-session.ts';

const HELP = `npm run access-code -- [--origin http://localhost:3000]

Creates an access code in a running Leashwise, as an admin does, and prints it. Requires the sandbox sign-in.`;

const origin = parseCliArgs(HELP, {}, (_, url) => url);
await requireRunning(origin);
console.log(await makeCode(origin));

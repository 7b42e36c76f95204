import { parseArgs } from 'node:util';
import { parseCliArgs } from './parse-cli-args.ts';
import { makeCode, requireRunning } from './api-session.ts';

const HELP = `npm run access-code -- [--origin http://localhost:3000]

Makes a code for the gate of a running Leashwise, as its admin does. It needs the stand-in for sign-in.`;

const { origin: told } = parseCliArgs(
  HELP,
  () =>
    parseArgs({
      options: {
        origin: { type: 'string', default: 'http://localhost:3000' },
        help: { type: 'boolean', default: false },
      },
    }).values,
);
const origin = told.replace(/\/$/, '');
await requireRunning(origin);
console.log(await makeCode(origin));

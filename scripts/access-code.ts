import { parseArgs } from 'node:util';
import { makeCode, requireRunning } from './visitor.ts';

/** `npm run access-code`: a code for the gate, where the stand-in for sign-in runs. */
const { values } = parseArgs({
  options: { origin: { type: 'string', default: 'http://localhost:3000' } },
});
const origin = values.origin.replace(/\/$/, '');
await requireRunning(origin);
console.log(await makeCode(origin));

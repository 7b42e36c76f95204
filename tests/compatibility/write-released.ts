import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contracts } from '#shared/contracts.ts';
import { describeContract } from './schemas.ts';

/**
 * Stores the current contracts. Run `node --import tsx tests/compatibility/write-released.ts` at the commit of a release.
 * Devices run that version for a while after the next release. `released.unit.test.ts` checks that it keeps working.
 */
const released = Object.fromEntries(
  [...contracts].map(([name, endpoint]) => [name, describeContract(endpoint)]),
);
writeFileSync(
  join(import.meta.dirname, 'released-contracts.json'),
  `${JSON.stringify(released)}\n`,
);

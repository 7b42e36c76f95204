import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contracts } from '#shared/contracts.ts';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import { describeDocument } from './documents.ts';
import { describeContract } from './schemas.ts';

/**
 * Stores the current contracts and documents. Run `node --import tsx tests/compatibility/write-released.ts` at the commit of a release.
 * Devices run that version for a while after the next release. `released.unit.test.ts` and
 * `documents.unit.test.ts` check that it keeps working.
 */
const released = Object.fromEntries(
  [...contracts].map(([name, endpoint]) => [name, describeContract(endpoint)]),
);
const documents = Object.fromEntries(
  (Object.keys(documentKinds) as DocumentKind[]).map((kind) => [kind, describeDocument(kind)]),
);
for (const [name, content] of Object.entries({ contracts: released, documents }))
  writeFileSync(join(import.meta.dirname, `released-${name}.json`), `${JSON.stringify(content)}\n`);

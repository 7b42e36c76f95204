import { buffer } from 'node:stream/consumers';
import type { UserRow } from '#shared/server/collections.ts';
import { withVerifiedEmail } from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import type { ZipEntry } from './zip.ts';

const README = `All the data that we store about you.

Each .json file is one category. images/ and sounds/ contain your pictures and recordings,
named by the keys in documents.json.
Times are in UTC.
`;

function textEntry(path: string, text: string): ZipEntry {
  const content = Buffer.from(text, 'utf8');
  return { path, bytes: content.length, read: async () => content };
}

/** Returns the files of a user’s data export. */
export async function entriesOf({ personalData }: Services, whose: UserRow): Promise<ZipEntry[]> {
  const user = withVerifiedEmail(whose);
  const entries = [textEntry('README.txt', README)];
  for (const handler of personalData) {
    if (handler.export)
      entries.push(
        textEntry(
          `${handler.name}.json`,
          `${JSON.stringify(await handler.export(user), null, 2)}\n`,
        ),
      );
    for await (const { path, bytes, open } of handler.files?.(user) ?? [])
      entries.push({ path, bytes, read: () => buffer(open()) });
  }
  return entries;
}

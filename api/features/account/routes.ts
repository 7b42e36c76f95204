import { buffer } from 'node:stream/consumers';
import { deleteAccount, exportAccount } from '#shared/account/contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import { clearCookie, clearHttpCache } from '../../platform/http/cookies.ts';
import { serve, serveStream } from '../../platform/http/mount-endpoint.ts';
import { withVerifiedEmail } from '../../platform/personal-data.ts';
import type { Api, Services } from '../../platform/services.ts';
import { deleteUser, DELETIONS_JOB, finishDeletions } from './deletion.ts';
import { startEpochs } from './epochs.ts';
import { zip, zipLength, type ZipEntry } from './zip.ts';

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
async function entriesOf({ personalData }: Services, whose: UserRow): Promise<ZipEntry[]> {
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

/** Data export and account deletion. */
export function mountAccount(api: Api): void {
  const { services } = api;
  startEpochs(services);
  services.registerJob(DELETIONS_JOB, () => finishDeletions(services));

  const limit = services.limiter({ name: 'export', points: 10, seconds: 3_600 });

  serveStream(api, exportAccount, async ({ caller: { user }, ctx }) => {
    await limit(user._id);
    const entries = await entriesOf(services, user);
    const now = new Date();
    ctx.attachment(`leashwise-${now.toISOString().slice(0, 10)}.zip`);
    ctx.type = 'application/zip';
    ctx.length = zipLength(entries);
    ctx.body = zip(entries, now);
  });

  serve(api, deleteAccount, async ({ caller: { user }, ctx }) => {
    await deleteUser(services, user._id);
    // Other devices keep their cookies, and learn from them that the account was deleted.
    clearCookie(ctx, SESSION_COOKIE);
    clearHttpCache(ctx);
    return {};
  });
}

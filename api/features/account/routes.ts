import { deleteAccount, exportAccount } from '#shared/account/contract.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import { clearCookie, clearHttpCache } from '../../platform/http/cookies.ts';
import { serve, serveStream } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { deleteUser, DELETIONS_SWEEP, finishDeletions } from './deletion.ts';
import { startEpochs } from './epochs.ts';
import { entriesOf } from './export-entries.ts';
import { zip, zipLength } from './zip.ts';

/** Data export and account deletion. */
export function mountAccount(api: Api): void {
  const { services } = api;
  startEpochs(services);
  services.sweep(DELETIONS_SWEEP, () => finishDeletions(services));

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

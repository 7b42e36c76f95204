import { OWN_KINDS, type OwnKind } from '#shared/document-kinds.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import type { Services } from '../../platform/services.ts';
import { findUser, users } from '../../platform/session/collections.ts';
import { profileId } from '../profile/profile-id.ts';

/** The background job that replaces documents. */
const EPOCHS_JOB = 'epochs';
/** A full document saves nothing until then. */
const EPOCHS_EVERY_MS = 15_000;
/** How many ids of replaced documents are kept. A device that comes back later has its journal. */
const FORMER_MAX = 20;

const hasEpochs = (kind: string): kind is OwnKind => (OWN_KINDS as string[]).includes(kind);

/**
 * Replaces a user’s document by one with the same values and no history (decision 392), and tells the user’s devices. They carry out on it
 * what the server doesn’t have of the old one. May be repeated, and must be after a failure halfway.
 */
async function replaceDocument(
  services: Services,
  userId: string,
  kind: OwnKind,
  old: string,
): Promise<void> {
  const { db, documents, signals } = services;
  const [now, former] = [`documents.${kind}`, `former_documents.${kind}`] as const;
  const user = await findUser(db, userId);
  const formerIds = user?.former_documents?.[kind] ?? [];
  if (user && (user.documents[kind] === old || formerIds.includes(old))) {
    const fresh = await documents.succeed(old);
    await users(db).updateOne(
      { _id: user._id, [now]: old },
      {
        $set: {
          [now]: fresh,
          ...(kind === 'card' && { profile_id: profileId(user) }),
        },
        $push: { [former]: { $each: [old], $slice: -FORMER_MAX } } as never,
      },
    );
    // Devices that know it already, as after a restored backup, may write it only now.
    await documents.setReaders(fresh, []);
    await signals.send('user', user._id);
    // A device that comes back after two epochs has a journal of what the server lacks.
    const isFormer = formerIds.includes(old);
    const earlier = formerIds.slice(0, isFormer ? formerIds.indexOf(old) : undefined).at(-1);
    if (earlier !== undefined) await documents.remove(earlier);
    await documents.disconnect({ user_id: user._id });
  }
  await documents.endEpoch(old);
}

/** Replaces documents whose epochs end. */
export function startEpochs(services: Services): void {
  const replaceEnding = async () => {
    const ending = await services.documents.endingEpochs();
    await forEachIsolated(ending, ({ kind, document_id, owner_user_id }) =>
      hasEpochs(kind)
        ? replaceDocument(services, owner_user_id, kind, document_id)
        : Promise.resolve(),
    );
  };
  services.registerJob(EPOCHS_JOB, replaceEnding, { everyMs: EPOCHS_EVERY_MS });
}

import { users } from './session/collections.ts';
import {
  OWN_KINDS,
  type ChangeInput,
  type ChangeName,
  type OwnKind,
} from '#shared/document-kinds.ts';
import type { UserRow } from '#shared/server/collections.ts';
import type { PersonalDataHandler } from './personal-data.ts';
import type { Services } from './services.ts';

/**
 * Brings a user's own documents into being. Their ids were chosen once, so it may be repeated.
 * @throws Refusal 503 when the sync server stays away
 */
export async function ensureDocuments(services: Services, user: UserRow): Promise<void> {
  if (user.documents_ready) return;
  await Promise.all(
    OWN_KINDS.map((kind) =>
      services.documents.create(user.documents[kind], kind, user._id, user.created_at),
    ),
  );
  await users(services.db).updateOne({ _id: user._id }, { $set: { documents_ready: true } });
  await services.signals.send('user', user._id);
}

/**
 * The plain value of one of the caller's own documents, to be read by its kind's reader.
 * @throws Refusal 503 when the sync server stays away, 429 for a flood
 */
export async function readOwn(services: Services, user: UserRow, kind: OwnKind): Promise<unknown> {
  await ensureDocuments(services, user);
  return services.documents.read(user.documents[kind], user._id);
}

/**
 * Applies a named change to one of the caller's own documents.
 * @returns the document's plain value after it
 * @throws Refusal 503 when the sync server stays away, 429 for a flood
 */
export async function changeOwn<K extends OwnKind, N extends ChangeName<K>>(
  services: Services,
  user: UserRow,
  kind: K,
  name: N,
  input: ChangeInput<K, N>,
): Promise<unknown> {
  await services.limitChanges(user._id);
  await ensureDocuments(services, user);
  return services.documents.change(kind, user.documents[kind], name, input, user._id);
}

/** The documents themselves; what is projected from them goes with them. */
export const documentData = ({ documents }: Services): PersonalDataHandler => ({
  name: 'documents',
  async export(user) {
    if (!user.documents_ready) return {};
    const values = await Promise.all(
      OWN_KINDS.map(async (kind) => [kind, await documents.read(user.documents[kind], user._id)]),
    );
    return Object.fromEntries(values);
  },
  async remove(user) {
    await Promise.all(OWN_KINDS.map((kind) => documents.remove(user.documents[kind])));
  },
});

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
 * Creates a user’s own documents. Idempotent: their ids are assigned with the account, so a server that has cached the row
 * from before may call it again. Marks the given row as ready.
 * @throws HttpError 503 when the sync server is unavailable
 */
export async function ensureDocuments(
  services: Pick<Services, 'db' | 'documents'>,
  user: UserRow,
): Promise<void> {
  if (user.documents_ready) return;
  await Promise.all(
    OWN_KINDS.map((kind) =>
      services.documents.create(user.documents[kind], kind, user._id, user.created_at),
    ),
  );
  await users(services.db).updateOne({ _id: user._id }, { $set: { documents_ready: true } });
  user.documents_ready = true;
}

/**
 * Returns the plain value of one of the caller’s own documents, for the reader of its kind.
 * @throws HttpError 503 when the sync server is unavailable, 429 for too many calls
 */
export async function readOwn(services: Services, user: UserRow, kind: OwnKind): Promise<unknown> {
  await ensureDocuments(services, user);
  return services.documents.read(user.documents[kind], user._id);
}

/**
 * Applies a named change to one of the caller’s own documents.
 * @returns the document’s plain value after it
 * @throws HttpError 503 when the sync server is unavailable, 429 for too many calls
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

/** The documents; the sync server removes their projections with them. */
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

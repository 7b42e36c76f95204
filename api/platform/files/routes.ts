import type { Db } from 'mongodb';
import { getFile, getPublicFile } from '#shared/files/contract.ts';
import { notFound } from '#shared/http/http-error.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { serveStream } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import { isEvidenceOwner } from './evidence-owner.ts';
import { fileData } from './personal-data.ts';
import { isPublicOwner } from './public-owner.ts';
import { sendFile } from './send.ts';
import { fileStore } from './store.ts';

/** Decides about a picture of a member. `isStored`: whether the device may store it. */
export type MayReadFile = (
  db: Db,
  reader: UserRow,
  file: { owner: string; key: string },
) => Promise<{ mayRead: boolean; isStored: boolean }>;

interface FileRules {
  mayReadFile: MayReadFile;
  /** Whether visitors see a picture now, which may end. */
  isShownToAll: (db: Db, owner: string, key: string) => Promise<boolean>;
}

/** Pictures, by their unguessable keys. */
export function mountFiles(api: Api, { mayReadFile, isShownToAll }: FileRules): void {
  const { db } = api.services;
  const store = fileStore(db, 'images');
  api.services.personalData.add(fileData('images', store));

  serveStream(api, getFile, async ({ params: { key }, caller: { user }, ctx }) => {
    const file = await store.find(key);
    if (!file || isEvidenceOwner(file.ownerUserId)) throw notFound('File');
    const owner = file.ownerUserId;
    const { mayRead, isStored } = await mayReadFile(db, user, { owner, key });
    if (!mayRead) throw notFound('File');
    sendFile(ctx, key, file, { isStored });
  });

  serveStream(api, getPublicFile, async ({ params: { key }, ctx }) => {
    const file = await store.find(key);
    const mayEnd = !isPublicOwner(file?.ownerUserId ?? '');
    if (!file || (mayEnd && !(await isShownToAll(db, file.ownerUserId, key))))
      throw notFound('File');
    sendFile(ctx, key, file, { mayEnd });
  });
}

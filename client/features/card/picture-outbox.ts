import { uploadDogImage } from '#shared/dogs/contract.ts';
import { uploadProfileImage } from '#shared/profile/contract.ts';
import { readCard } from '#shared/profile/document.ts';
import { call } from '../../platform/http/api.ts';
import { oncePer } from '../../platform/once-per.ts';
import type { UserDocuments } from '../../platform/sync/documents/user-documents.ts';
import {
  UploadOutbox,
  type PicturePlace,
  type SentFile,
  type StoredPicture,
} from '../../platform/sync/outbox/upload-outbox.ts';

/** Stands for the owner in place of a dog ID, which has no such sign. */
export const OWNER_PHOTO = '@owner';

/** Uploads dogs' pictures, by dog ID, when the server has the dog; and the owner's photo. */
export class PictureOutbox extends UploadOutbox {
  constructor(documents: UserDocuments) {
    super(documents, 'pictures', uploadDogImage.failure);
  }

  /** Adds a dog's new picture or the owner's, replacing one that is still waiting. */
  add(dogId: string, picture: Blob): Promise<void> {
    return this.keep(dogId, picture, {});
  }

  protected placeOf(dogId: string): PicturePlace {
    const { status, doc } = this.documents.getDocument('card');
    if (status !== 'ready') return 'unknown';
    const card = readCard(doc);
    const isOwner = dogId === OWNER_PHOTO;
    const pictured = isOwner ? card : card.dogs.find(({ id }) => id === dogId);
    const isOnServer = this.documents.getSyncState().isConfirmed;
    return pictured ? { imageKey: pictured.image_key ?? null, isOnServer } : 'gone';
  }

  protected async upload(
    id: string,
    { idempotencyKey }: StoredPicture,
    input: SentFile,
  ): Promise<string | null> {
    const sent = { ...input, idempotencyKey };
    return id === OWNER_PHOTO
      ? (await call(uploadProfileImage, sent)).image_key
      : (await call(uploadDogImage, { ...sent, params: { id } })).dog.image_key;
  }
}

/** Returns the picture outbox of a user's documents. */
export const picturesOf = oncePer((documents: UserDocuments) => new PictureOutbox(documents));

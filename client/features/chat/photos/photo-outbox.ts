import { uploadMessagePhoto } from '#shared/chat/contract.ts';
import { call } from '../../../platform/http/api.ts';
import type { UserDocuments } from '../../../platform/sync/documents/user-documents.ts';
import {
  UPLOAD_TIMEOUT_MS,
  UploadOutbox,
  type PicturePlace,
  type StoredPicture,
} from '../../../platform/sync/outbox/upload-outbox.ts';
import type { MessageReference } from '../types.ts';
import { THREADS } from '../thread/threads.ts';

/** A photo on this device, by the key of its message, until the message shows it. */
interface StoredPhoto extends StoredPicture {
  friendUserId: string;
  /** Of the segment with the message. */
  number: number;
}

/** Uploads photos of messages when the server has the messages. */
export class PhotoOutbox extends UploadOutbox<StoredPhoto> {
  constructor(documents: UserDocuments) {
    super(documents, 'photos', uploadMessagePhoto.failure);
  }

  /** Adds the photo of an own message. */
  add(
    friendUserId: string,
    { key, number }: Pick<MessageReference, 'key' | 'number'>,
    photo: Blob,
  ): Promise<void> {
    return this.keep(key, photo, { friendUserId, number });
  }

  protected placeOf(key: string, { friendUserId, number }: StoredPhoto): PicturePlace {
    if (this.documents.getDocument('contacts').status !== 'ready') return 'unknown';
    const thread = this.documents.part(THREADS)?.get(friendUserId);
    if (!thread) return 'gone';
    const reference = { number, isOwn: true, key };
    const { message } = thread.find(reference);
    if (message === null) {
      // Older segments open on demand.
      void this.documents.part(THREADS)?.openNumber(friendUserId, number);
      return 'unknown';
    }
    if (!message?.photo) return 'gone';
    return { imageKey: message.photo.image_key, isOnServer: thread.isSent(reference) };
  }

  protected async upload(
    key: string,
    { friendUserId, number, idempotencyKey }: StoredPhoto,
    file: Blob,
  ): Promise<void> {
    const { id } =
      this.documents.part(THREADS)?.get(friendUserId)?.find({ number, isOwn: true, key }) ?? {};
    const signal = AbortSignal.timeout(UPLOAD_TIMEOUT_MS);
    await call(uploadMessagePhoto, { params: { id: id ?? '' }, file, idempotencyKey, signal });
  }
}

const outboxes = new WeakMap<UserDocuments, PhotoOutbox>();

/** Returns the photo outbox of a user's documents. */
export function photosOf(documents: UserDocuments): PhotoOutbox {
  let outbox = outboxes.get(documents);
  if (!outbox) outboxes.set(documents, (outbox = new PhotoOutbox(documents)));
  return outbox;
}

import { uploadMessagePhoto, uploadMessageVoice } from '#shared/chat/contract.ts';
import { call } from '../../../platform/http/api.ts';
import { oncePer } from '../../../platform/once-per.ts';
import type { UserDocuments } from '../../../platform/sync/documents/user-documents.ts';
import {
  UploadOutbox,
  type PicturePlace,
  type SentFile,
  type StoredPicture,
} from '../../../platform/sync/outbox/upload-outbox.ts';
import { THREADS } from '../thread/threads.ts';
import type { MessageReference } from '../types.ts';

/** A photo or recording on this device, by the key of its message, until the message shows it. */
interface StoredAttachment extends StoredPicture {
  friendUserId: string;
  /** Of the segment with the message. */
  number: number;
  /** Whether it is a voice note. Apps of the last release stored photos only. */
  isVoice?: boolean;
}

/** Uploads photos and recordings of messages when the server has the messages. */
class AttachmentOutbox extends UploadOutbox<StoredAttachment> {
  constructor(documents: UserDocuments) {
    super(documents, 'photos', uploadMessagePhoto.failure);
  }

  /** Adds the photo or recording of an own message. */
  add(
    friendUserId: string,
    { key, number }: Pick<MessageReference, 'key' | 'number'>,
    file: Blob,
    isVoice = false,
  ): Promise<void> {
    return this.keep(key, file, { friendUserId, number, isVoice });
  }

  protected placeOf(key: string, { friendUserId, number }: StoredAttachment): PicturePlace {
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
    // It is being unsent, which may be taken back or refused.
    if (!message && thread.hasOwn(reference)) return 'unknown';
    const { photo, voice } = message ?? {};
    if (!message || (!photo && !voice)) return 'gone';
    const imageKey = photo?.image_key ?? voice?.sound_key ?? null;
    return { imageKey, isOnServer: thread.isSent(number, message.id) };
  }

  protected async upload(
    key: string,
    { friendUserId, number, isVoice, idempotencyKey }: StoredAttachment,
    { file, signal }: SentFile,
  ): Promise<string | null> {
    const thread = this.documents.part(THREADS)?.get(friendUserId);
    const id = thread?.find({ number, isOwn: true, key }).id ?? '';
    const sent = {
      params: { id },
      file,
      // Each version of a message is another request.
      idempotencyKey: `${idempotencyKey}.${id}`,
      signal,
    };
    return isVoice
      ? (await call(uploadMessageVoice, sent)).sound_key
      : (await call(uploadMessagePhoto, sent)).image_key;
  }
}

/** Returns the outbox of attachments of a user's documents. */
export const attachmentsOf = oncePer((documents: UserDocuments) => new AttachmentOutbox(documents));

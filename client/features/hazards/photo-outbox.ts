import { toast } from 'sonner';
import { WAITED_HEADER } from '#shared/deferred-calls.ts';
import type { HazardFields } from '#shared/hazards/contract.ts';
import { isNotFound, type CallError } from '../../platform/http/api-client.ts';
import { call } from '../../platform/http/api.ts';
import { messageOf } from '../../platform/http/error-message.ts';
import { oncePer } from '../../platform/once-per.ts';
import type { UserDocuments } from '../../platform/sync/documents/user-documents.ts';
import {
  UploadOutbox,
  type PicturePlace,
  type SentFile,
  type StoredPicture,
} from '../../platform/sync/outbox/upload-outbox.ts';

/** A photo with the report that it belongs to, which waits in the outbox under the photo's id. */
interface HazardPhoto extends StoredPicture {
  body: HazardFields;
  /** When it was reported. */
  at: number;
}

/** No document shows hazards: an upload drops the photo itself. */
const ON_SERVER: PicturePlace = { imageKey: null, isOnServer: true };

/** The hazard was removed or has expired, or an admin has decided about it. */
const isOver = (error: CallError): boolean => error.code === 'conflict' || isNotFound(error);

/** Uploads photos of hazards that the owner reports, also offline. */
class HazardPhotoOutbox extends UploadOutbox<HazardPhoto> {
  constructor(documents: UserDocuments) {
    super(documents, 'hazard_photos', 'Failed to upload a photo of a hazard');
  }

  /** @param key the idempotency key of the report */
  add(key: string, body: HazardFields, photo: Blob): Promise<void> {
    return this.keep(key, photo, { body, at: Date.now() });
  }

  protected placeOf(): PicturePlace {
    return ON_SERVER;
  }

  protected override isPermanent(error: CallError): boolean {
    return isOver(error) || super.isPermanent(error);
  }

  /** No screen shows a photo that was refused. */
  protected override async refuse(key: string, _: HazardPhoto, error: CallError): Promise<void> {
    toast.error(
      isOver(error)
        ? 'We couldn’t add your photo. The hazard isn’t there anymore.'
        : messageOf(error),
    );
    await this.#end(key);
  }

  protected async upload(
    key: string,
    { body, at, idempotencyKey }: HazardPhoto,
    { file, signal }: SentFile,
  ): Promise<null> {
    // Loaded on demand with the code of hazards.
    const { createHazard, uploadHazardPhoto } = await import('#shared/hazards/contract.ts');
    // Repeats the report, whose key makes the server answer with the hazard that it made, whichever call comes first.
    const headers = { [WAITED_HEADER]: String(Math.max(0, Date.now() - at)) };
    const { hazard } = await call(createHazard, { body, idempotencyKey: key, headers, signal });
    const params = { id: hazard.id };
    await call(uploadHazardPhoto, { params, file, idempotencyKey, signal });
    await this.#end(key);
    return null;
  }

  async #end(key: string): Promise<void> {
    await this.drop(key);
    const { refetchHazards } = await import('./use-hazards.ts');
    await refetchHazards();
  }
}

/** Returns the outbox for photos of hazards of a user's documents. */
export const hazardPhotosOf = oncePer(
  (documents: UserDocuments) => new HazardPhotoOutbox(documents),
);

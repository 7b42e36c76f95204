import { toast } from 'sonner';
import { newId } from '#shared/ids.ts';
import { isNotFound, type CallError } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { oncePer } from '../../../platform/once-per.ts';
import type { UserDocuments } from '../../../platform/sync/documents/user-documents.ts';
import { outboxOf } from '../../../platform/sync/outbox/outbox.ts';
import {
  UploadOutbox,
  type PicturePlace,
  type SentFile,
  type StoredPicture,
} from '../../../platform/sync/outbox/upload-outbox.ts';

/** Photos are stored by the id of their place and one of their own. */
const prefixOf = (placeId: string): string => `${placeId}/`;

/** Whether a photo is of a place. @param id of the photo in the outbox */
export const isOfPlace = (id: string, placeId: string): boolean => id.startsWith(prefixOf(placeId));

/** Places are on the server, and no document shows their photos: an upload drops the photo itself. */
const ON_SERVER: PicturePlace = { imageKey: null, isOnServer: true };

/** Uploads photos of places that the owner adds, also offline. */
class PlacePhotoOutbox extends UploadOutbox {
  constructor(documents: UserDocuments) {
    super(documents, 'place_photos', 'Failed to upload a photo of a place');
  }

  add(placeId: string, photo: Blob): Promise<void> {
    return this.keep(prefixOf(placeId) + newId(), photo, {});
  }

  protected placeOf(): PicturePlace {
    return ON_SERVER;
  }

  /** The owner may have added enough photos on another device, or removed some that are still to be sent. */
  protected override isPermanent(error: CallError): boolean {
    if (error.code !== 'too_many_photos') return isNotFound(error) || super.isPermanent(error);
    return !outboxOf(this.documents)
      .getWaiting()
      .some(({ name }) => name === 'locations.removePhoto');
  }

  protected override async refuse(
    id: string,
    photo: StoredPicture,
    error: CallError,
  ): Promise<void> {
    if (!isNotFound(error)) return super.refuse(id, photo, error);
    // No screen shows the place any more.
    await this.drop(id);
    toast.error('We couldn’t add your photo. The place was removed.');
  }

  protected async upload(
    id: string,
    { idempotencyKey }: StoredPicture,
    { file, signal }: SentFile,
  ): Promise<null> {
    // Loaded on demand with the code of places.
    const { uploadLocationPhoto } = await import('#shared/locations/photo-contract.ts');
    const placeId = id.slice(0, id.indexOf('/'));
    const params = { id: placeId };
    const { photo } = await call(uploadLocationPhoto, { params, file, idempotencyKey, signal });
    const { addPhoto } = await import('../opened-places.ts');
    addPhoto(this.documents.userId, placeId, photo);
    // The list and the map show the newest photo.
    void queries.invalidateQueries({ queryKey: ['places'] });
    // First the place with the photo, so that it doesn't disappear in between.
    await queries.invalidateQueries({ queryKey: ['place'] });
    await this.drop(id);
    return null;
  }
}

/** Returns the outbox for photos of places of a user's documents. */
export const placePhotosOf = oncePer((documents: UserDocuments) => new PlacePhotoOutbox(documents));

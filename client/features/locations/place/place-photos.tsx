import { Flag, Trash2 } from 'lucide-react';
import { useId, useState, useMemo, useSyncExternalStore } from 'react';
import { formatDate } from '#shared/dates.ts';
import { PHOTOS_EACH_MAX } from '#shared/locations/rules.ts';
import type { LocationPhoto } from '#shared/locations/schemas.ts';
import { useAction } from '../../../platform/forms/use-action.ts';
import { messageOf } from '../../../platform/http/error-message.ts';
import { readPicture } from '../../../platform/pictures/read-picture.ts';
import { useDocuments } from '../../../platform/sync/documents/use-document.ts';
import type { WaitingPicture } from '../../../platform/sync/outbox/upload-outbox.ts';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { FieldError } from '../../../platform/ui/inputs/field-error.tsx';
import { ImageButton } from '../../../platform/ui/inputs/image-button.tsx';
import { LookalikeNote } from '../../friends/lookalike-note.tsx';
import { ReportForm } from '../../moderation/report-form.tsx';
import { authorName } from './author-name.ts';
import { placePhotosOf, isOfPlace } from './photo-outbox.ts';

const NONE: ReadonlyMap<string, WaitingPicture> = new Map();
const neverChanges = () => () => {};

function usePlacePhotos(): ReadonlyMap<string, WaitingPicture> {
  const documents = useDocuments();
  const outbox = documents && placePhotosOf(documents);
  return useSyncExternalStore(
    outbox?.subscribe ?? neverChanges,
    () => outbox?.getPictures() ?? NONE,
  );
}

/** Returns this device's photos of a place that the server doesn't have or rejected, newest first. */
function useWaitingPhotos(placeId: string): (WaitingPicture & { id: string })[] {
  const photos = usePlacePhotos();
  return useMemo(
    () =>
      [...photos]
        .filter(([id]) => isOfPlace(id, placeId))
        .map(([id, photo]) => ({ id, ...photo }))
        .toReversed(),
    [photos, placeId],
  );
}

/** Photos of a place in a row, and a place for one's own. Those that the owner adds wait on this device until they are sent. */
export function PlacePhotos({
  place,
  photos,
  userId,
  onRemove,
}: {
  place: { id: string; name: string };
  photos: readonly LocationPhoto[];
  userId: string;
  onRemove: (photo: LocationPhoto) => void;
}) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const [removing, setRemoving] = useState<LocationPhoto | null>(null);
  const [reporting, setReporting] = useState<LocationPhoto | null>(null);
  const waiting = useWaitingPhotos(place.id);
  const own = photos.filter(({ creator_user_id }) => creator_user_id === userId);
  const count = photos.length + waiting.length;
  // One leaves room for the button; of several, the next shows that there is one.
  const photoLook = `flex shrink-0 flex-col ${count === 1 ? 'w-[calc(100%-6.5rem)]' : 'w-[min(80%,20rem)]'}`;
  const isFull = own.length + waiting.length >= PHOTOS_EACH_MAX;

  const documents = useDocuments();
  const [add, adding] = useAction(async (picture: File) => {
    setProblem('');
    try {
      const { file } = await readPicture(picture);
      if (documents) await placePhotosOf(documents).add(place.id, file);
    } catch (error) {
      setProblem(messageOf(error));
    }
  });

  return (
    <section aria-label={`Photos of ${place.name}`} className="flex flex-col gap-2">
      <ul className="-mx-4 flex gap-2 overflow-x-auto px-4">
        {waiting.map(({ id: photoId, url, problem: refusal }) => (
          <li key={photoId} className={photoLook}>
            <img
              src={url}
              alt={`${place.name}, just added by you`}
              className="h-44 w-full rounded-control bg-sunken object-cover"
            />
            <div className="flex items-center gap-1">
              <p
                className={`min-w-0 flex-1 text-sm font-bold break-words ${refusal ? 'text-poor' : ''}`}
              >
                {refusal ?? 'Not sent yet'}
              </p>
              <IconButton
                Icon={Trash2}
                label={`Remove your new photo of ${place.name}`}
                onClick={() => void (documents && placePhotosOf(documents).drop(photoId))}
              />
            </div>
          </li>
        ))}
        {photos.map((photo) => {
          const isOwn = photo.creator_user_id === userId;
          const author = authorName(photo.author_name, isOwn);
          const words = `${author} · ${formatDate(photo.created_at)}`;
          return (
            <li key={photo.id} className={photoLook}>
              <a
                href={`/api/files/${photo.image_key}`}
                target="_blank"
                rel="noopener noreferrer"
                className="rounded-control"
              >
                <img
                  src={`/api/files/${photo.image_key}`}
                  alt={`${place.name}, ${words}; opens in a new tab`}
                  loading="lazy"
                  className="h-44 w-full rounded-control bg-sunken object-cover"
                />
              </a>
              <div className="flex items-center gap-1">
                <p className="min-w-0 flex-1 text-sm break-words text-soft">
                  <span className="block">{words}</span>
                  <LookalikeNote userId={photo.creator_user_id} name={photo.author_name ?? ''} />
                </p>
                {isOwn ? (
                  <IconButton
                    Icon={Trash2}
                    label={`Remove your photo of ${formatDate(photo.created_at)}`}
                    onClick={() => setRemoving(photo)}
                  />
                ) : (
                  <IconButton
                    Icon={Flag}
                    label={`Report the photo by ${author}`}
                    onClick={() => setReporting(photo)}
                  />
                )}
              </div>
            </li>
          );
        })}
        {!isFull && (
          <li className={count === 0 ? 'w-full' : 'w-24 shrink-0'}>
            <ImageButton
              describedBy={`${id}-problem`}
              disabled={Boolean(adding)}
              className={`w-full flex-col justify-center border-dashed bg-sunken px-1 text-center leading-tight text-accent ${count === 0 ? 'h-28' : 'h-44'}`}
              onPick={(file) => void add(file)}
            >
              {adding ? 'Adding the photo…' : 'Add a photo'}
            </ImageButton>
          </li>
        )}
      </ul>
      {isFull && (
        <p className="text-sm text-soft">You can add up to {PHOTOS_EACH_MAX} photos of a place.</p>
      )}
      <FieldError id={`${id}-problem`}>{problem}</FieldError>
      <ConfirmDialog
        open={removing !== null}
        title="Remove this photo?"
        description="It’s removed for everyone."
        yes="Remove"
        onYes={() => removing && onRemove(removing)}
        onClose={() => setRemoving(null)}
      />
      <Modal
        open={reporting !== null}
        onClose={() => setReporting(null)}
        title="Report Photo"
        description={`By ${authorName(reporting?.author_name ?? null)}. They won’t know who reported it.`}
      >
        {reporting && (
          <ReportForm
            reported={{ type: 'picture', image_key: reporting.image_key }}
            person={{ user_id: reporting.creator_user_id, name: authorName(reporting.author_name) }}
            question="What’s wrong?"
            onDone={() => setReporting(null)}
          />
        )}
      </Modal>
    </section>
  );
}

import { X } from 'lucide-react';
import { previewOf } from '#shared/chat/rules.ts';
import type { Picture } from '../../../platform/pictures/read-picture.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { useObjectUrl } from '../../../platform/ui/inputs/use-object-url.ts';
import type { ShownMessage } from '../types.ts';

/** The message that the next one answers, above the input. */
export function ReplyBar({
  message,
  name,
  onCancel,
}: {
  message: ShownMessage;
  /** Of the friend. */
  name: string;
  onCancel: () => void;
}) {
  return (
    <div className="flex items-center gap-2 rounded-control bg-sunken pl-3">
      <p className="min-w-0 flex-1 border-l-4 border-accent py-1.5 pl-2.5 text-sm">
        <span className="block truncate font-bold">
          Reply to {message.isOwn ? 'yourself' : name}
        </span>
        <span className="block truncate text-soft">{previewOf(message.text)}</span>
      </p>
      <IconButton Icon={X} label="Cancel reply" onClick={onCancel} />
    </div>
  );
}

/** The message that is being edited, above the input. */
export function EditBar({ onCancel }: { onCancel: () => void }) {
  return (
    <div className="flex items-center gap-2 rounded-control bg-sunken pl-3">
      <p className="min-w-0 flex-1 border-l-4 border-accent py-1.5 pl-2.5 text-sm font-bold">
        Edit message
      </p>
      <IconButton Icon={X} label="Cancel editing" onClick={onCancel} />
    </div>
  );
}

/** Another draft to the same friend, which was written on a device that had not seen this one. */
export function DraftCopy({
  text,
  onUse,
  onDiscard,
}: {
  text: string;
  onUse: () => void;
  onDiscard: () => void;
}) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-2 rounded-control bg-sunken pl-3"
    >
      <p className="min-w-0 flex-1 basis-40 border-l-4 border-accent py-1.5 pl-2.5 text-sm">
        <span className="block font-bold">You wrote this on another device</span>
        <span className="line-clamp-2 text-soft">{text}</span>
      </p>
      <Button look="quiet" onClick={onUse}>
        Use it
      </Button>
      <IconButton Icon={X} label="Discard the other draft" onClick={onDiscard} />
    </div>
  );
}

function PhotoPreview({ photo, onRemove }: { photo: Blob; onRemove: () => void }) {
  const url = useObjectUrl(photo);
  return (
    <li className="flex shrink-0 items-start">
      {url && (
        <img
          src={url}
          alt="Attached"
          className="h-24 max-w-40 rounded-control border border-line object-contain"
        />
      )}
      <IconButton Icon={X} label="Remove photo" onClick={onRemove} />
    </li>
  );
}

/** The photos that the next messages have: one each. */
export function PhotoPreviews({
  photos,
  onRemove,
}: {
  photos: readonly Picture[];
  onRemove: (photo: Picture) => void;
}) {
  return (
    <ul className="flex gap-2 overflow-x-auto">
      {photos.map((photo, index) => (
        <PhotoPreview key={index} photo={photo.file} onRemove={() => onRemove(photo)} />
      ))}
    </ul>
  );
}

import { X } from 'lucide-react';
import { previewOf } from '#shared/chat/rules.ts';
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

/** The photo that the next message has, above the input. */
export function PhotoPreview({ photo, onRemove }: { photo: Blob; onRemove: () => void }) {
  const url = useObjectUrl(photo);
  return (
    <div className="flex items-start gap-2">
      {url && (
        <img
          src={url}
          alt="Attached"
          className="max-h-32 max-w-[60%] rounded-control border border-line object-contain"
        />
      )}
      <IconButton Icon={X} label="Remove photo" onClick={onRemove} />
    </div>
  );
}

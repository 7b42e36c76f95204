import { X } from 'lucide-react';
import { previewOf } from '#shared/chat/rules.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { useObjectUrl } from '../../ui/inputs/use-object-url.ts';
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

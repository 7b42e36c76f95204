import { X } from 'lucide-react';
import { useId, useRef, type ReactNode } from 'react';
import { IconButton } from '../buttons/icon-button.tsx';
import { FieldError } from './field-error.tsx';
import { ImageButton } from './image-button.tsx';

/** Chooses an optional picture, with a preview and an error message. `readPicture` says what is wrong with one. */
export function ImageField({
  label,
  noun = 'photo',
  preview,
  hasImage,
  error,
  pending = false,
  onChoose,
  remove,
}: {
  label: ReactNode;
  /** What the picture is called on the buttons. */
  noun?: string;
  preview: ReactNode;
  hasImage: boolean;
  error?: string | undefined;
  /** Replaces the button's label while the picture is being uploaded. */
  pending?: string | false;
  onChoose: (file: File) => void;
  /** Without it, a picture can only be replaced. */
  remove?: { label: string; onRemove: () => void };
}) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);

  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-bold">{label}</p>
      <div ref={row} className="flex flex-wrap items-center gap-2 sm:gap-x-4">
        {preview}
        <ImageButton describedBy={`${id}-problem`} disabled={Boolean(pending)} onPick={onChoose}>
          {pending || (hasImage ? `Change ${noun}` : `Choose a ${noun}`)}
        </ImageButton>
        {hasImage && remove && (
          <IconButton
            Icon={X}
            label={remove.label}
            onClick={() => {
              remove.onRemove();
              // This button is removed with the picture.
              row.current?.querySelector('input')?.focus();
            }}
          />
        )}
      </div>
      <FieldError id={`${id}-problem`}>{error}</FieldError>
    </div>
  );
}

import { X } from 'lucide-react';
import { useId, useRef, useState, type ReactNode } from 'react';
import type { Endpoint } from '#shared/endpoint.ts';
import { FieldError } from './field-error.tsx';
import { IconButton } from '../buttons/icon-button.tsx';
import { ImageButton } from './image-button.tsx';
import { imageProblem } from './validate-image.ts';

/** Chooses an optional picture, with a preview and an error message. */
export function ImageField({
  label,
  noun = 'picture',
  preview,
  hasImage,
  endpoint,
  notAnImage,
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
  /** The upload endpoint, by whose rules the file is validated. Without it, `onChoose` validates the file. */
  endpoint?: Pick<Endpoint, 'upload'>;
  /** Message for a file that isn't an image. */
  notAnImage?: string;
  error?: string | undefined;
  /** Replaces the button's label while the picture is being uploaded. */
  pending?: string | false;
  onChoose: (file: File) => void;
  /** Without it, a picture can only be replaced. */
  remove?: { label: string; onRemove: () => void };
}) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const row = useRef<HTMLDivElement>(null);

  async function choose(file: File) {
    const wrong = endpoint ? await imageProblem(file, endpoint, notAnImage) : '';
    setProblem(wrong);
    if (!wrong) onChoose(file);
  }

  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-bold">{label}</p>
      <div ref={row} className="flex flex-wrap items-center gap-2 sm:gap-x-4">
        {preview}
        <ImageButton
          describedBy={`${id}-problem`}
          disabled={Boolean(pending)}
          onPick={(file) => void choose(file)}
        >
          {pending || (hasImage ? `Change ${noun}` : `Choose a ${noun}`)}
        </ImageButton>
        {hasImage && remove && (
          <IconButton
            Icon={X}
            label={remove.label}
            onClick={() => {
              setProblem('');
              remove.onRemove();
              // This button is removed with the picture.
              row.current?.querySelector('input')?.focus();
            }}
          />
        )}
      </div>
      <FieldError id={`${id}-problem`}>{problem || error}</FieldError>
    </div>
  );
}

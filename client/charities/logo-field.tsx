import { X } from 'lucide-react';
import { useId } from 'react';
import { FieldError } from '../ui/field-error.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ImageButton } from '../ui/image-button.tsx';
import { useObjectUrl } from '../ui/use-object-url.ts';

/** Chooses a logo, and shows it. */
export function LogoField({
  logo,
  error,
  onPick,
}: {
  logo: File | null;
  error: string | undefined;
  onPick: (file: File | null) => void;
}) {
  const id = useId();
  const url = useObjectUrl(logo);
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-bold">
        Logo <span className="font-normal text-soft">(optional, under 2 MB)</span>
      </p>
      <div className="flex items-center gap-3">
        {url && (
          <img
            src={url}
            alt="Your logo"
            className="size-16 rounded-control border border-line bg-surface object-contain"
          />
        )}
        <ImageButton describedBy={`${id}-error`} onPick={onPick}>
          {logo ? 'Change logo' : 'Choose a logo'}
        </ImageButton>
        {logo && (
          <IconButton label="Remove logo" onClick={() => onPick(null)}>
            <X aria-hidden className="size-5" />
          </IconButton>
        )}
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

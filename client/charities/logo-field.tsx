import { ImagePlus, X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { createCharity, LOGO_MAX_BYTES, LOGO_NO_IMAGE } from '#shared/charities/contract.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { FieldError } from '../ui/field-error.tsx';

/** What is wrong with a file as a logo; '' when nothing is. */
export function logoProblem(file: File): string {
  if (!file.type.startsWith('image/')) return LOGO_NO_IMAGE;
  return file.size >= LOGO_MAX_BYTES ? (createCharity.upload?.tooLarge ?? '') : '';
}

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
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!logo) return setUrl(null);
    const made = URL.createObjectURL(logo);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [logo]);
  return (
    <div>
      <p className="mb-1.5 font-semibold">
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
        <label
          htmlFor={id}
          className="inline-flex min-h-12 cursor-pointer items-center gap-2 rounded-control border border-line-strong bg-surface px-5 py-2.5 font-semibold hover:bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <ImagePlus aria-hidden className="size-5 shrink-0" />
          {logo ? 'Change logo' : 'Choose a logo'}
          <input
            id={id}
            type="file"
            accept="image/*"
            aria-describedby={`${id}-error`}
            className="sr-only"
            onChange={(event) => {
              onPick(event.target.files?.[0] ?? null);
              event.target.value = '';
            }}
          />
        </label>
        {logo && (
          <IconButton label="Remove logo" onClick={() => onPick(null)}>
            <X aria-hidden className="size-5" />
          </IconButton>
        )}
      </div>
      <FieldError id={`${id}-error`} className="mt-1.5">
        {error}
      </FieldError>
    </div>
  );
}

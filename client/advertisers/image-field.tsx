import { ImagePlus, X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { AD_IMAGE_MAX_BYTES, createTimedAd } from '#shared/advertisers/contract.ts';
import { NOT_AN_IMAGE } from '#shared/files/contract.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { FieldError } from '../ui/field-error.tsx';

/** The picture of an ad, which may be left out. */
export function ImageField({
  image,
  name,
  onChoose,
}: {
  image: Blob | null;
  name: string | null;
  onChoose: (image: File | null) => void;
}) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!image) return setUrl(undefined);
    const made = URL.createObjectURL(image);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [image]);

  function choose(file: File | undefined) {
    if (!file) return;
    const isImage = file.type.startsWith('image/');
    const isSmall = file.size <= AD_IMAGE_MAX_BYTES;
    setProblem(isImage ? (isSmall ? '' : (createTimedAd.upload?.tooLarge ?? '')) : NOT_AN_IMAGE);
    if (isImage && isSmall) onChoose(file);
  }

  return (
    <div>
      <p className="mb-1.5 font-semibold">
        Picture <span className="font-normal text-soft">(optional, at most 5 MB)</span>
      </p>
      <div className="flex items-center gap-3">
        {url && (
          <img
            src={url}
            alt=""
            className="size-20 shrink-0 rounded-control bg-sunken object-cover"
          />
        )}
        <label
          htmlFor={id}
          className="inline-flex min-h-12 cursor-pointer items-center gap-2 rounded-control border border-line-strong px-4 font-semibold hover:bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <ImagePlus aria-hidden className="size-5 shrink-0" />
          {image ? 'Change picture' : 'Choose a picture'}
          <input
            id={id}
            type="file"
            accept="image/*"
            className="sr-only"
            aria-describedby={`${id}-problem`}
            onChange={(event) => {
              choose(event.target.files?.[0]);
              // So that the same one may be chosen again.
              event.target.value = '';
            }}
          />
        </label>
        {image && (
          <IconButton
            label={`Remove ${name ?? 'the picture'}`}
            onClick={() => {
              setProblem('');
              onChoose(null);
            }}
          >
            <X aria-hidden className="size-5" />
          </IconButton>
        )}
      </div>
      <FieldError id={`${id}-problem`} className="mt-1.5">
        {problem}
      </FieldError>
    </div>
  );
}

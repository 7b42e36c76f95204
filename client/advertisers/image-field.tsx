import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { createTimedAd } from '#shared/advertisers/contract.ts';
import { FieldError } from '../ui/field-error.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ImageButton } from '../ui/image-button.tsx';
import { imageProblem } from '../ui/image-problem.ts';
import { useObjectUrl } from '../ui/use-object-url.ts';

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
  const url = useObjectUrl(image);

  function choose(file: File) {
    const wrong = imageProblem(file, createTimedAd);
    setProblem(wrong);
    if (!wrong) onChoose(file);
  }

  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-bold">
        Picture <span className="font-normal text-soft">(optional, under 5 MB)</span>
      </p>
      <div className="flex items-center gap-3">
        {url && (
          <img
            src={url}
            alt=""
            className="size-20 shrink-0 rounded-control bg-sunken object-cover"
          />
        )}
        <ImageButton describedBy={`${id}-problem`} onPick={choose}>
          {image ? 'Change picture' : 'Choose a picture'}
        </ImageButton>
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
      <FieldError id={`${id}-problem`}>{problem}</FieldError>
    </div>
  );
}

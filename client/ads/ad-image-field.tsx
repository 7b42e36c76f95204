import { X } from 'lucide-react';
import { useState } from 'react';
import { uploadAdImage } from '#shared/ads/admin-contract.ts';
import { call } from '../http/api.ts';
import { useAction } from '../forms/use-action.ts';
import { messageOf } from '../http/error-message.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { optionalLabel } from '../ui/optional-label.tsx';
import { ImageButton } from '../ui/image-button.tsx';
import { imageProblem } from '../ui/validate-image.ts';

/** An ad's picture: uploaded here, or the address of one that was. */
export function AdImageField({
  label,
  value,
  error,
  onChange,
}: {
  label: string;
  value: string;
  error: string | undefined;
  onChange: (address: string) => void;
}) {
  const [problem, setProblem] = useState('');

  const [upload, uploading] = useAction(async (file: File) => {
    const wrong = imageProblem(file, uploadAdImage);
    setProblem(wrong);
    if (wrong) return;
    try {
      onChange((await call(uploadAdImage, { file })).image_url);
    } catch (cause) {
      setProblem(messageOf(cause));
    }
  });

  // What stands here is shown in slots only when it is of this origin; a preview of another would tell it who looks.
  const isOwn = value.startsWith(`${location.origin}/`);
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={optionalLabel(label)}
        type="url"
        inputMode="url"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        error={problem || error}
        hint={
          value && !isOwn
            ? 'Ads only show images stored on this site. Upload it to use it.'
            : 'Under 5 MB. The URL is filled in when you upload an image.'
        }
        autoComplete="off"
      />
      <div className="flex items-center gap-3">
        {isOwn && (
          <img
            src={value}
            alt="Preview"
            className="h-16 w-24 rounded-control border border-line object-cover"
          />
        )}
        <ImageButton disabled={uploading !== undefined} onPick={(file) => void upload(file)}>
          {uploading ? 'Uploading…' : 'Upload an image'}
        </ImageButton>
        {value && (
          <Button look="quiet" onClick={() => onChange('')} Icon={X}>
            Remove
          </Button>
        )}
      </div>
    </div>
  );
}

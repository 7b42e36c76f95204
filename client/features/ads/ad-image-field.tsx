import { useState } from 'react';
import { uploadAdImage } from '#shared/ads/admin-contract.ts';
import { useAction } from '../../platform/forms/use-action.ts';
import { call } from '../../platform/http/api.ts';
import { messageOf } from '../../platform/http/error-message.ts';
import { readPicture } from '../../platform/pictures/read-picture.ts';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { ImageField } from '../../platform/ui/inputs/image-field.tsx';
import { optionalLabel } from '../../platform/ui/inputs/optional-label.tsx';

/** An ad's picture: an upload, the address of an earlier one, or one of another site, which the server copies. */
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
    setProblem('');
    try {
      const picture = await readPicture(file, { endpoint: uploadAdImage });
      onChange((await call(uploadAdImage, { file: picture.file })).image_url);
    } catch (cause) {
      setProblem(messageOf(cause));
    }
  });

  // Slots show only pictures of this origin; a preview of another would reveal the visitor to it.
  const isOwn = value.startsWith(`${location.origin}/`);
  return (
    <>
      <ImageField
        label={optionalLabel('Photo', ', under 5 MB')}
        preview={
          isOwn && (
            <img
              src={value}
              alt="Preview"
              className="h-16 w-24 rounded-control border border-line object-cover"
            />
          )
        }
        hasImage={value !== ''}
        error={problem}
        pending={uploading && 'Uploading…'}
        onChoose={(file) => void upload(file)}
        remove={{
          label: 'Remove photo',
          onRemove: () => {
            setProblem('');
            onChange('');
          },
        }}
      />
      <Field
        label={optionalLabel(label)}
        type="url"
        inputMode="url"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        error={error}
        hint={
          value && !isOwn
            ? 'We’ll copy the photo from there when you save.'
            : 'Filled in when you choose a photo.'
        }
        autoComplete="off"
      />
    </>
  );
}

import { useState } from 'react';
import { getFile } from '#shared/files/contract.ts';
import { pathOf } from '../../platform/http/api-client.ts';
import { DogAvatar } from '../../platform/illustrations/dog-avatar.tsx';
import type { DogCoat, DogSize } from '../../platform/illustrations/dog-looks.ts';

/** A dog's picture, or a drawn dog of its size and coat if there is none. */
export function DogPicture({
  imageKey,
  dog,
  url,
  className = 'size-14',
}: {
  imageKey: string | null;
  /** How to draw the dog without a picture. Unknown features follow from its name, which everyone sees. */
  dog?: { name: string; size?: DogSize | null; coat?: DogCoat | null } | undefined;
  /** Shown instead of the server's picture, such as while a new one is being uploaded. */
  url?: string;
  className?: string;
}) {
  const [broken, setBroken] = useState<string | null>(null);
  const source = url ?? (imageKey ? pathOf(getFile, { key: imageKey }) : null);
  return (
    <span
      className={`flex shrink-0 items-center justify-center overflow-hidden rounded-control bg-sunken text-soft ${className}`}
    >
      {source && source !== broken ? (
        <img
          src={source}
          alt=""
          className="size-full object-cover"
          onError={() => setBroken(source)}
        />
      ) : (
        <DogAvatar seed={dog?.name ?? ''} size={dog?.size} coat={dog?.coat} className="size-full" />
      )}
    </span>
  );
}

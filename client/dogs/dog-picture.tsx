import { Dog as DogIcon } from 'lucide-react';
import { useState } from 'react';
import { getFile } from '#shared/files/contract.ts';
import { pathOf } from '../http/api-client.ts';

/** A dog's picture, or an icon if there is none. */
export function DogPicture({
  imageKey,
  url,
  className = 'size-14',
}: {
  imageKey: string | null;
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
        <DogIcon aria-hidden className="size-1/2" />
      )}
    </span>
  );
}

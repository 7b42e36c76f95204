import { Dog as DogIcon } from 'lucide-react';
import { useState } from 'react';
import { getFile } from '#shared/files/contract.ts';
import { pathOf } from '../http/api-client.ts';

/** A dog's picture beside its name, or a drawing where there is none to show. */
export function DogPicture({
  imageKey,
  url,
  className = 'size-14',
}: {
  imageKey: string | null;
  /** Shown instead of what the server has, as while a new picture is on its way there. */
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

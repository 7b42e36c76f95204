import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { getFile } from '#shared/files/contract.ts';
import { pathOf } from '../../platform/http/api-client.ts';

/** An owner's photo; the first letter of their name without one. Decorative: the name is next to it. */
export function OwnerPhoto({
  imageKey,
  name,
  url,
  className = 'size-12',
}: {
  imageKey: string | null | undefined;
  name: string;
  /** Shown instead of the server's photo, such as while a new one is being uploaded. */
  url?: string | undefined;
  className?: string;
}) {
  const [broken, setBroken] = useState<string | null>(null);
  const source = url ?? (imageKey ? pathOf(getFile, { key: imageKey }) : null);
  const letter = /\p{L}/u.exec(name)?.[0].toUpperCase();
  return (
    <span
      aria-hidden
      className={`flex shrink-0 items-center justify-center overflow-hidden rounded-full bg-accent-soft font-bold text-ink ${className}`}
    >
      {source && source !== broken ? (
        <img
          src={source}
          alt=""
          className="size-full object-cover"
          onError={() => setBroken(source)}
        />
      ) : (
        (letter ?? <UserRound className="size-1/2" />)
      )}
    </span>
  );
}

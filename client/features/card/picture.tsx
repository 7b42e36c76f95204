import { type ReactNode, useState } from 'react';
import { getFile } from '#shared/files/contract.ts';
import { pathOf } from '../../platform/http/api-client.ts';

/** A picture of the server, cut to the size of its frame. Decorative: the name is next to it. */
export function Picture({
  imageKey,
  url,
  className,
  children,
}: {
  imageKey: string | null | undefined;
  /** Shown instead of the server's picture, such as while a new one is being uploaded. */
  url?: string | undefined;
  className: string;
  /** Shown without a picture, and while one can't be loaded. */
  children: ReactNode;
}) {
  const [broken, setBroken] = useState<string | null>(null);
  const source = url ?? (imageKey ? pathOf(getFile, { key: imageKey }) : null);
  return (
    <span
      aria-hidden
      className={`flex shrink-0 items-center justify-center overflow-hidden ${className}`}
    >
      {source && source !== broken ? (
        <img
          src={source}
          alt=""
          className="size-full object-cover"
          onError={() => setBroken(source)}
        />
      ) : (
        children
      )}
    </span>
  );
}

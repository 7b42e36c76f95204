import { HandHeart } from 'lucide-react';
import { useState } from 'react';
import { getFile, getPublicFile } from '#shared/files/contract.ts';
import { pathOf } from '../../platform/http/api-client.ts';

/** A charity's logo, or an icon if there is none. @param url of one that isn't stored yet */
export function CharityLogo({
  logoKey,
  url,
  isPublic = false,
}: {
  logoKey: string | null;
  url?: string | null;
  /** Whether visitors see it, whose devices keep no pictures for later. */
  isPublic?: boolean;
}) {
  const [isBroken, setBroken] = useState(false);
  const src = url ?? (logoKey && pathOf(isPublic ? getPublicFile : getFile, { key: logoKey }));
  return (
    <span className="flex size-14 shrink-0 items-center justify-center overflow-hidden rounded-control bg-sunken text-soft">
      {src && !isBroken ? (
        <img
          src={src}
          alt=""
          className="size-full object-contain"
          onError={() => setBroken(true)}
        />
      ) : (
        <HandHeart aria-hidden className="size-7" />
      )}
    </span>
  );
}

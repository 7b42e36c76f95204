import { HandHeart } from 'lucide-react';
import { useState } from 'react';
import { getFile } from '#shared/files/contract.ts';
import { pathOf } from '../../platform/http/api-client.ts';

/** A charity's logo, or an icon if there is none. */
export function CharityLogo({ logoKey }: { logoKey: string | null }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span className="flex size-14 shrink-0 items-center justify-center overflow-hidden rounded-control bg-sunken text-soft">
      {logoKey && !isBroken ? (
        <img
          src={pathOf(getFile, { key: logoKey })}
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

import { Check, Copy, Share2 } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../buttons/button.tsx';
import { share } from '../buttons/share.ts';
import { useCopy } from '../buttons/use-copy.ts';
import { Field } from './field.tsx';

/** A link to copy, or to share where the device has a share sheet. */
export function LinkField({
  label,
  hint,
  link,
  what = 'link',
  text,
  isMain = false,
}: {
  label: string;
  hint?: string;
  link: string;
  /** What the buttons call it, where there is another one. */
  what?: string;
  /** Sent with the link. */
  text?: string;
  /** Whether sending it is what the screen is for. */
  isMain?: boolean;
}) {
  const field = useRef<HTMLInputElement>(null);
  const { outcome, copy } = useCopy(link);
  const isCopied = outcome === 'copied';
  return (
    <div className="flex flex-col gap-3">
      <Field
        ref={field}
        label={label}
        hint={hint}
        value={link}
        readOnly
        onFocus={(event) => event.target.select()}
      />
      <div className="flex flex-col gap-2 sm:flex-row">
        <Button
          wide
          look={isMain && !share ? 'primary' : 'secondary'}
          // Not allowed: selects the link to be copied manually.
          onClick={() => void copy(() => field.current?.select())}
          Icon={isCopied ? Check : Copy}
        >
          {isCopied ? 'Copied!' : `Copy ${what}`}
        </Button>
        {share && (
          <Button
            wide
            look={isMain ? 'primary' : 'secondary'}
            Icon={Share2}
            onClick={() => share?.(link, { text })}
          >
            Share {what}…
          </Button>
        )}
      </div>
      <p role="status" className="text-sm text-soft empty:hidden">
        {isCopied && <span className="sr-only">Link copied</span>}
        {outcome === 'failed' && (
          <span>
            Your browser won’t let us copy. The link is selected, so you can copy it yourself.
          </span>
        )}
      </p>
    </div>
  );
}

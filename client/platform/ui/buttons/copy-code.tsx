import { Check, Copy } from 'lucide-react';
import { Button } from './button.tsx';
import { useCopy } from './use-copy.ts';

/** Copies a code. */
export function CopyCode({ code }: { code: string }) {
  const { outcome, copy } = useCopy(code);
  const isCopied = outcome === 'copied';
  return (
    <>
      <Button look="secondary" onClick={() => void copy()} Icon={isCopied ? Check : Copy}>
        {isCopied ? 'Copied!' : 'Copy'}
        <span className="sr-only"> {code}</span>
      </Button>
      <span role="status" className={outcome === 'failed' ? 'text-sm' : 'sr-only'}>
        {isCopied && <span>Code copied</span>}
        {outcome === 'failed' && (
          <span>{`Your browser won’t let us copy. The code is ${code}.`}</span>
        )}
      </span>
    </>
  );
}

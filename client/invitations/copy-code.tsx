import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '../ui/button.tsx';

/** How long 'Copied!' is shown. */
const COPIED_MS = 2000;

/** Copies an invitation's code. */
export function CopyCode({ code }: { code: string }) {
  const [isCopied, setCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(code);
      setCopied(true);
    } catch {
      toast.error(`Your browser won’t let us copy. The code is ${code}.`);
    }
  }

  const Icon = isCopied ? Check : Copy;
  return (
    <>
      <Button look="secondary" onClick={() => void copy()} Icon={Icon}>
        {isCopied ? 'Copied!' : 'Copy'}
        <span className="sr-only"> {code}</span>
      </Button>
      <span role="status" className="sr-only">
        {isCopied && 'Code copied'}
      </span>
    </>
  );
}

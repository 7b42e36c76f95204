import { Plus } from 'lucide-react';
import { Button } from '../../ui/button.tsx';

/** Stands above a list and opens the form for one more. */
export function CreateButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <Button
      className="sm:whitespace-nowrap"
      onClick={onClick}
      icon={<Plus aria-hidden className="size-5 shrink-0" />}
    >
      {children}
    </Button>
  );
}

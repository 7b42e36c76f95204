import { Plus } from 'lucide-react';
import { Button } from '../../ui/buttons/button.tsx';

/** A button above a list that opens the form for a new row. */
export function CreateButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <Button className="sm:whitespace-nowrap" onClick={onClick} Icon={Plus}>
      {children}
    </Button>
  );
}

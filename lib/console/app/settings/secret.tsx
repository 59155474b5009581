import type { JSX } from 'preact';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Button } from '../ui/ui.tsx';

interface SecretProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A password or token that is shown once. */
export function Secret({ title, secret, onClose }: SecretProps): JSX.Element {
  const { say } = useApp();
  const copy = (): void => {
    navigator.clipboard?.writeText(secret).then(
      () => say(text.settings.copied),
      () => undefined, // the text is there to be selected
    );
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        <code class="secret">{secret}</code>
      </p>
      <p class="row end">
        <Button onClick={copy}>{text.settings.copy}</Button>
        <Button kind="primary" onClick={onClose}>
          {text.settings.close}
        </Button>
      </p>
    </Dialog>
  );
}

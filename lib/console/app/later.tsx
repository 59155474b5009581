import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Trouble } from './trouble.tsx';
import { Skeleton } from './ui/ui.tsx';

/** Makes a component whose code is loaded when it is first shown, so that a visitor does not wait for it before; until then its `frame` stands. */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
): (props: P & { readonly frame?: JSX.Element }) => JSX.Element {
  let known: ComponentType<P> | undefined;
  return function Later(props) {
    const [loaded, setLoaded] = useState(known !== undefined);
    const [error, setError] = useState<unknown>();
    const begin = (): void => {
      setError(undefined);
      load().then((component) => {
        known = component;
        setLoaded(true);
      }, setError);
    };
    useEffect(() => {
      if (!loaded) begin();
    }, []);
    if (error !== undefined) return <Trouble error={error} onAgain={begin} />;
    const Known = known;
    return loaded && Known ? <Known {...props} /> : (props.frame ?? <Skeleton tall />);
  };
}

import type { ExpressionForm } from './template-forms.ts';

const result = '‹nonce›‹nonce2›';

/** Directives that set a variable and put it out: nothing is read or included by them, and what is run multiplies two numbers. */
export const includeDirectives: readonly ExpressionForm[] = [
  {
    value: '<!--#set var="x" value="‹nonce›" --><!--#echo var="x" -->‹nonce2›',
    inert: '<!--#seq var="x" value="‹nonce›" --><!--#echq var="x" -->‹nonce2›',
    result,
    detail: 'Directives of server-side includes (SSI) in the value are carried out.',
  },
  {
    // Some know no variables.
    value: '<!--#exec cmd="printf ‹nonce›$((‹int›*‹int2›))" -->‹nonce2›',
    inert: '<!--#exeq cmd="printf ‹nonce›$((‹int›*‹int2›))" -->‹nonce2›',
    result: '‹nonce›‹product:int:int2›‹nonce2›',
    detail: 'Directives of server-side includes (SSI) in the value are carried out, and run commands of the system.',
  },
  {
    value: `<esi:assign name="x" value="'‹nonce›'"/><esi:vars>$(x)</esi:vars>‹nonce2›`,
    inert: `<esi:assigq name="x" value="'‹nonce›'"/><esi:varq>$(x)</esi:varq>‹nonce2›`,
    result,
    detail: 'Directives of edge-side includes (ESI) in the value are carried out.',
  },
];

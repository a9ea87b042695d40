//! Programs that answer a call: JavaScript from a grammar, each piece of which knows what must come of it.

use hookhost::{Action, FailureCause};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// A program, and what must come of running it as a hook.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// The body of a function.
    pub(crate) source: String,
    pub(crate) expected: Expected,
}

/// What must come of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    /// The hook gives this answer itself.
    Answer(Action),
    /// The hook fails, for this cause.
    Failure(FailureCause),
}

use Expected::{Answer, Failure};
use FailureCause::{InvalidDecision, Rejected, Threw};

/// An expression, and what JSON makes of its value.
#[derive(Debug, Clone)]
struct Expression {
    source: String,
    json: Json,
}

/// What JSON makes of a value, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Json {
    /// Text of this kind.
    Text(Kind),
    /// Nothing: the field is left out, as if it were not there.
    Nothing,
    /// Text with more levels than can be read back.
    Deep,
    /// Writing it throws.
    Fails,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    String,
    Object,
    /// Null, a number, a boolean, a list.
    Other,
}

fn expression(source: &str, json: Json) -> Expression {
    Expression { source: source.to_owned(), json }
}

/// A promise that is rejected.
const REJECTS: &str = "Promise.reject(1)";

/// Values that cannot be asked for their `then`, as everything is that a promise is resolved with.
const THROWS_AT_THEN: [&str; 2] = [
    "new Proxy({ a: 1 }, { get() { throw undefined; } })",
    "(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; })()",
];

/// Values without parts. None of them is a string that is one of the words.
fn leaf() -> impl Strategy<Value = Expression> {
    let text = |source| expression(source, Json::Text(Kind::String));
    let object = |source| expression(source, Json::Text(Kind::Object));
    let other = |source| expression(source, Json::Text(Kind::Other));
    let nothing = |source| expression(source, Json::Nothing);
    let fails = |source| expression(source, Json::Fails);
    select(vec![
        text("''"),
        text("'text'"),
        text("'\\0\\u2028\"\\\\'"),
        text("'\\u{1f600}'"),
        text("'\\ud800'"),
        text("new String('boxed')"),
        text("new Date(0)"),
        text("({ toJSON: () => 'told' })"),
        text("new URL('https://example.org/')"),
        object("({})"),
        object("Object.create(null)"),
        object("({ ['\\udc00x']: 1 })"),
        object("new Map([[1, 2]])"),
        object("new Set([1])"),
        object("new WeakMap()"),
        object("/x/g"),
        object("new Uint8Array([1, 2])"),
        object("new ArrayBuffer(8)"),
        object("new Error('value')"),
        object("new (class Thing { x = 1; #y = 2; })"),
        object("Promise.resolve(1)"),
        object(REJECTS),
        object("new Proxy({ a: 1 }, {})"),
        object("Object.freeze({ a: Object.freeze([]) })"),
        object("globalThis.Intl"),
        object("Math"),
        object("(function () { return arguments; })(1)"),
        object("(function* () {})()"),
        other("null"),
        other("true"),
        other("Object(false)"),
        other("0"),
        other("-0"),
        other("NaN"),
        other("-Infinity"),
        other("1e308"),
        other("5e-324"),
        other("2 ** 53 + 1"),
        other("[]"),
        other("new Array(3)"),
        other("new Date(NaN)"),
        other("new Proxy([1], {})"),
        nothing("undefined"),
        nothing("Symbol('value')"),
        nothing("Symbol.iterator"),
        nothing("(() => 1)"),
        nothing("(async () => 1)"),
        nothing("class {}"),
        nothing("({ toJSON: () => undefined })"),
        nothing("new Proxy(() => 1, {})"),
        fails("1n"),
        expression("Array.from({ length: 200 }).reduce((inner) => [inner], 0)", Json::Deep),
        fails("Object(1n)"),
        fails("(() => { const ring = {}; ring.ring = ring; return ring; })()"),
        fails("(() => { const ring = []; ring.push([ring]); return ring; })()"),
        fails("({ toJSON() { throw 'toJSON'; } })"),
        fails("({ get x() { throw new Error('getter'); } })"),
        fails("new Proxy({}, { ownKeys() { throw null; } })"),
        fails(THROWS_AT_THEN[0]),
        fails(THROWS_AT_THEN[1]),
    ])
}

/// Any value; none that is an answer.
fn value() -> impl Strategy<Value = Expression> {
    let key = select(vec!["'a'", "'b'", "''", "'0'", "'__proto__'", "'toString'", "'\\0'", "'constructor'"]);
    leaf().prop_recursive(3, 12, 4, move |inner| {
        let list = vec(inner.clone(), 0..4).prop_map(|items| {
            let sources: Vec<_> = items.iter().map(|item| item.source.as_str()).collect();
            Expression { source: format!("[{}]", sources.join(", ")), json: whole(&items, Kind::Other) }
        });
        let object = vec((key.clone(), inner), 0..4).prop_map(|fields| {
            // Later fields of the same name replace earlier ones.
            let mut unique: Vec<(&str, Expression)> = Vec::new();
            for (key, value) in fields {
                unique.retain(|(other, _)| *other != key);
                unique.push((key, value));
            }
            let sources: Vec<_> = unique.iter().map(|(key, value)| format!("[{key}]: {}", value.source)).collect();
            let values: Vec<_> = unique.into_iter().map(|(_, value)| value).collect();
            Expression { source: format!("({{ {} }})", sources.join(", ")), json: whole(&values, Kind::Object) }
        });
        prop_oneof![list, object]
    })
}

fn whole(parts: &[Expression], kind: Kind) -> Json {
    let any = |json| parts.iter().any(|part| part.json == json);
    match (any(Json::Fails), any(Json::Deep)) {
        (true, _) => Json::Fails,
        (false, true) => Json::Deep,
        (false, false) => Json::Text(kind),
    }
}

/// How a field of an answer comes to its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Plain,
    /// Another value at each later reading. The first one counts.
    Fickle,
    /// Reading it throws the value.
    Throws,
}

fn field(name: &str, value: &str, how: Field) -> String {
    match how {
        Field::Plain => format!("['{name}']: {value}"),
        Field::Fickle => {
            format!("get ['{name}']() {{ return reads.{name}++ ? 'allow' : (reads.{name} = 1, {value}); }}")
        }
        Field::Throws => format!("get ['{name}']() {{ throw {value}; }}"),
    }
}

fn how() -> impl Strategy<Value = Field> {
    prop_oneof![4 => Just(Field::Plain), 1 => Just(Field::Fickle)]
}

/// What an answer's `action` is.
#[derive(Debug, Clone)]
enum Word {
    /// One of the words, as it is written.
    Exact(&'static str),
    /// Anything else.
    Odd(Expression),
}

fn word() -> impl Strategy<Value = Word> {
    let exact = select(vec!["allow", "continue", "block", "deny", "ask", "ask_user", "modify", "inject_context"]);
    let nearly = select(vec![
        "'Allow'",
        "'ALLOW'",
        "' allow'",
        "'allow '",
        "'allow\\n'",
        "'allow\\0'",
        "'\\u0430llow'",
        "'\\ufeffallow'",
        "'Block'",
        "'BLOCK'",
        "'block '",
        "'Ask'",
        "'askUser'",
        "'inject'",
        "'permit'",
        "''",
        "'undefined'",
        "'__proto__'",
        "['allow']",
        "[['allow']]",
        "({ action: 'allow' })",
        "({ toString: () => 'allow', valueOf: () => 'allow', [Symbol.toPrimitive]: () => 'allow' })",
        "Symbol('allow')",
        "() => 'allow'",
        "async () => 'allow'",
        "Promise.resolve('allow')",
        "new Proxy(['allow'], {})",
    ]);
    let odd = prop_oneof![
        nearly.prop_map(|source| expression(&format!("({source})"), Json::Text(Kind::Other))),
        // Where it throws or is left out, nothing changes: there is no word.
        value(),
    ];
    prop_oneof![8 => exact.prop_map(Word::Exact), 2 => odd.prop_map(Word::Odd)]
}

/// What a modify puts in, and what comes of it where `args` is an object.
fn rewrite() -> impl Strategy<Value = (String, Expected)> {
    let fixed = select(vec![
        ("({ args: { new: 1 } })", Answer(Action::Modify)),
        ("({ args: { new: undefined } })", Answer(Action::Modify)),
        ("({ args: {} })", Answer(Action::Modify)),
        ("({ args: Object.create(null) })", Answer(Action::Modify)),
        ("Object.create({ args: {} }, { args: { value: { new: 1 }, enumerable: true } })", Answer(Action::Modify)),
        ("new (class { args = { new: 1 } })", Answer(Action::Modify)),
        ("({ toJSON: () => ({ args: { new: 1 } }) })", Answer(Action::Modify)),
        // Another field than the point's own: it is dropped, and nothing changes.
        ("({})", Answer(Action::Allow)),
        ("({ toolName: 'other' })", Answer(Action::Allow)),
        ("({ toolName: 'other', args: { new: 1 } })", Answer(Action::Modify)),
        ("({ args: 'text' })", Failure(InvalidDecision)),
        ("({ args: null })", Failure(InvalidDecision)),
        ("({ args: [{}] })", Failure(InvalidDecision)),
        ("({ args: undefined })", Failure(InvalidDecision)),
        ("({ args: () => ({}) })", Failure(InvalidDecision)),
        ("({ args: new Map([['new', 1]]) })", Failure(InvalidDecision)),
        ("({ args: Promise.resolve({}) })", Failure(InvalidDecision)),
        ("({ args: { n: 1n } })", Failure(InvalidDecision)),
        ("({ get args() { throw 'args'; } })", Failure(InvalidDecision)),
        ("Object.create({ args: { new: 1 } })", Failure(InvalidDecision)),
        ("new Map([['args', { new: 1 }]])", Failure(InvalidDecision)),
        ("Promise.resolve({ args: { new: 1 } })", Failure(InvalidDecision)),
        ("[{ args: { new: 1 } }]", Failure(InvalidDecision)),
        ("'text'", Failure(InvalidDecision)),
        ("null", Failure(InvalidDecision)),
        ("undefined", Failure(InvalidDecision)),
        ("() => ({ args: {} })", Failure(InvalidDecision)),
        ("1n", Failure(InvalidDecision)),
    ]);
    fixed.prop_map(|(source, expected)| (format!("({source})"), expected))
}

/// Fields beside the action that are read and decide nothing.
fn others() -> impl Strategy<Value = Vec<(&'static str, Expression, Field)>> {
    let names = select(vec![
        "reason",
        "note",
        "ephemeral",
        "approval_prompt",
        "approval_options",
        "approval_timeout",
        "approval_default",
        "user_message",
        "user_message_level",
        "context_injection_role",
    ]);
    vec((names, value(), prop_oneof![6 => how(), 1 => Just(Field::Throws)]), 0..3)
}

/// The fields of an answer, as the inside of an object literal.
#[derive(Debug, Clone)]
struct Fields {
    source: String,
    expected: Expected,
}

fn fields() -> impl Strategy<Value = Fields> {
    let stray = option::weighted(0.2, select(vec!["x: 1", "get y() { throw 'nobody reads this'; }", "toJSON: 1"]));
    (word(), how(), others(), rewrite(), any::<bool>(), value(), stray).prop_map(
        |(word, how, others, (rewrite, rewritten), in_data, injected, stray)| {
            let source = match &word {
                Word::Exact(word) => format!("'{word}'"),
                Word::Odd(odd) => odd.source.clone(),
            };
            let mut parts = vec![field("action", &source, how)];
            let mut unique: Vec<&str> = Vec::new();
            let mut unreadable = false;
            for (name, value, how) in &others {
                if !unique.contains(name) {
                    unique.push(name);
                    parts.push(field(name, &value.source, *how));
                    unreadable |= value.json == Json::Fails || value.json == Json::Deep || *how == Field::Throws;
                }
            }
            let mut expected = match &word {
                Word::Exact("allow" | "continue") => Answer(Action::Allow),
                Word::Exact("block" | "deny") => Answer(Action::Block),
                Word::Exact("ask" | "ask_user") => Answer(Action::Ask),
                Word::Exact("modify") => {
                    parts.push(field(if in_data { "data" } else { "payload" }, &rewrite, Field::Plain));
                    rewritten
                }
                Word::Exact(_) => {
                    parts.push(field("context_injection", &injected.source, Field::Plain));
                    match injected.json {
                        Json::Text(Kind::String) => Answer(Action::Inject),
                        _ => Failure(InvalidDecision),
                    }
                }
                Word::Odd(_) => Failure(InvalidDecision),
            };
            // A stop stays one, whatever it says beside that. Everything else has to be readable as a whole.
            let stops = matches!(expected, Answer(Action::Block | Action::Ask));
            if unreadable && !stops {
                expected = Failure(InvalidDecision);
            }
            parts.extend(stray.map(str::to_owned));
            Fields { source: format!("{{ {} }}", parts.join(", ")), expected }
        },
    )
}

/// An expression that is awaited, or not, for an answer.
#[derive(Debug, Clone)]
struct Returned {
    source: String,
    /// What comes of it when it is returned as it is.
    expected: Expected,
    /// What comes of it when a promise is resolved with it.
    awaited: Expected,
}

impl Returned {
    fn settled(source: String, expected: Expected) -> Self {
        Self { source, expected, awaited: expected }
    }

    /// The same, handed over by a promise or a thenable. `${}` stands for it.
    fn later(self, around: &str) -> Self {
        Self { source: around.replace("${}", &self.source), expected: self.awaited, ..self }
    }
}

/// The answer as an object of many kinds. `${}` stands for the literal.
fn answer() -> impl Strategy<Value = Returned> {
    const OBJECTS: &[&str] = &[
        "({})",
        "Object.create(null)",
        "new Map([['action', 'allow']])",
        "new Set(['allow'])",
        "new Date(0)",
        "/allow/",
        "new Error('allow')",
        "new Uint8Array(2)",
        "new ArrayBuffer(2)",
        "new String('allow')",
        "new Number(1)",
        "new (class Answer {})",
        "Object.create({ action: 'allow', note: 'hidden by what is nearer' })",
    ];
    const CALLABLE_OR_LIST: &[&str] = &[
        "() => ({ action: 'allow' })",
        "class { static action = 'allow'; }",
        "[]",
        "new Proxy([], {})",
        "new Array(2)",
    ];
    const SHAPES: &[&str] = &[
        "${}",
        "Object.freeze(${})",
        "Object.seal(${})",
        "Object.create(${})",
        "Object.create(Object.create(${}))",
        "({ __proto__: ${} })",
        "Object.setPrototypeOf(new (class { x = 1; }), ${})",
        "new Proxy(${}, {})",
        "new Proxy({}, { get: (_, key) => self[key] })",
        "new Proxy({}, { getPrototypeOf: () => null, get: (_, key) => Reflect.get(self, key) })",
        "new Proxy(Object.create(new Proxy(${}, {})), {})",
    ];
    let shaped = (fields(), select(SHAPES)).prop_map(|(fields, shape)| (shape.replace("${}", "self"), fields));
    let on_object = (fields(), select(OBJECTS)).prop_map(|(fields, object)| (on(object), fields));
    let of_no_use = (fields(), select(CALLABLE_OR_LIST))
        .prop_map(|(fields, object)| (on(object), Fields { expected: Failure(InvalidDecision), ..fields }));
    prop_oneof![4 => shaped, 3 => on_object, 1 => of_no_use].prop_map(|(object, fields)| {
        let Fields { source, expected } = fields;
        let counts = "const reads = new Proxy({}, { get: (counts, name) => counts[name] ?? 0 });";
        let source = format!("(() => {{ {counts} const self = ({source}); return {object}; }})()");
        Returned::settled(source, expected)
    })
}

/// The answer's fields on another object.
fn on(object: &str) -> String {
    format!("Object.defineProperties(({object}), Object.getOwnPropertyDescriptors(self))")
}

/// What is returned and is no answer, or cannot be looked at.
fn no_answer() -> impl Strategy<Value = Returned> {
    let invalid = |source: &str| Returned::settled(format!("({source})"), Failure(InvalidDecision));
    let secretive = move |source: &str| Returned { awaited: Failure(Rejected), ..invalid(source) };
    prop_oneof![
        value().prop_map(move |value| match value.source.as_str() {
            REJECTS => Returned::settled(value.source, Failure(Rejected)),
            source if THROWS_AT_THEN.contains(&source) => secretive(source),
            _ => Returned::settled(value.source, Failure(InvalidDecision)),
        }),
        select(vec![
            invalid("'allow'"),
            invalid("'block'"),
            invalid("['allow']"),
            invalid("[{ action: 'allow' }]"),
            invalid("{ ['action ']: 'allow' }"),
            invalid("{ Action: 'allow' }"),
            invalid("{ action: undefined, decision: 'allow' }"),
            invalid("{ toJSON: () => ({ action: 'allow' }) }"),
            invalid("JSON.stringify({ action: 'allow' })"),
            invalid("Symbol('allow')"),
            invalid("Object('allow')"),
            invalid("() => ({ action: 'allow' })"),
            invalid("{ get action() { throw { action: 'allow' }; } }"),
            invalid("new Proxy({}, { get(_, key) { if (key === 'action') throw 'allow'; } })"),
            invalid("{ action: 'allow', get note() { throw 'note'; } }"),
            invalid("{ action: 'modify', get payload() { throw 'payload'; } }"),
            secretive("{ action: 'allow', get then() { throw 'then'; } }"),
            secretive("new Proxy({ action: 'allow' }, { get() { throw 'then'; } })"),
        ]),
    ]
}

/// Ways to hand a value over later. `${}` stands for it.
const LATER: &[&str] = &[
    "Promise.resolve(${})",
    "(async () => ${})()",
    "(async () => await (${}))()",
    "(async () => { await null; return ${}; })()",
    "new Promise((resolve) => setTimeout(() => resolve(${}), 1))",
    "new Promise((resolve, reject) => { resolve(${}); reject('too late'); })",
    "({ then(resolve) { resolve(${}); } })",
    "({ action: 'allow', then: (resolve) => queueMicrotask(() => resolve(${})) })",
    "({ then(resolve) { resolve(${}); resolve({ action: 'allow' }); throw 'too late'; } })",
    "Object.assign(() => 1, { then(resolve) { resolve(${}); } })",
    "Object.assign(Promise.resolve(${}), { action: 'allow' })",
    "new (class extends Promise {})((resolve) => resolve(${}))",
    "Promise.reject('odd').catch(() => ${})",
    "Promise.race([${}, new Promise(() => {})])",
    "Promise.any([Promise.reject(1), ${}])",
];

/// Ways to fail with a value after `run` has returned.
const REJECTED: &[&str] = &[
    "Promise.reject(${})",
    "(async () => { throw ${}; })()",
    "(async () => { await null; throw ${}; })()",
    "new Promise((_, reject) => setTimeout(() => reject(${}), 1))",
    "new Promise(() => { throw ${}; })",
    "({ then(_, reject) { reject(${}); } })",
    "({ then() { throw ${}; } })",
];

/// Ways to run to the end of the function. `${}` stands for what is returned.
const RETURN: &[&str] = &[
    "return ${};",
    "try { throw 1; } catch { return ${}; }",
    "try { throw 'lost'; } finally { return ${}; }",
    "for (const answer of [${}]) return answer;",
    "const [answer = 1] = [${}]; return answer === undefined || answer === 1 ? undefined : answer;",
    "return Reflect.apply(() => ${}, null, []);",
    "return (0, eval)('(x) => x')(${});",
];

/// Programs.
pub(crate) fn program() -> impl Strategy<Value = Program> {
    let returned = prop_oneof![3 => answer(), 1 => no_answer()];
    let later = (returned, vec(select(LATER), 0..3))
        .prop_map(|(returned, around)| around.into_iter().fold(returned, Returned::later));
    let rejected = (answer(), select(REJECTED), vec(select(LATER), 0..2)).prop_map(|(answer, rejected, around)| {
        let rejected = Returned::settled(rejected.replace("${}", &answer.source), Failure(Rejected));
        around.into_iter().fold(rejected, Returned::later)
    });
    let returns = (prop_oneof![5 => later, 1 => rejected], select(RETURN)).prop_map(|(returned, around)| {
        let Returned { source, expected, .. } = returned;
        Program { source: around.replace("${}", &source), expected }
    });
    let thrown = prop_oneof![answer().prop_map(|answer| answer.source), value().prop_map(|value| value.source)]
        .prop_map(|source| Program { source: format!("throw {source};"), expected: Failure(Threw) });
    prop_oneof![9 => returns, 1 => thrown]
}

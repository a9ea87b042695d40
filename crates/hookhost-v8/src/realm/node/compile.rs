//! Compiling the text of a CommonJS module.

use deno_core::url::Url;
use deno_core::{op2, v8};
use deno_error::JsErrorBox;

/// In the place of Deno's op, which leaves out where a syntax error is: the error's stack tells only who has loaded the file.
/// It is written behind the message here, as Deno does for `import()`. Gives the function and `null`, or `null` and what was
/// thrown, whether that is an error of the language, and that it comes from the compiler.
#[op2(reentrant)]
pub(super) fn op_hookhost_compile_function<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    source: v8::Local<'s, v8::String>,
    #[string] specifier: &str,
    options: Option<v8::Local<'s, v8::Array>>,
    parameters: v8::Local<'s, v8::Array>,
) -> Result<v8::Local<'s, v8::Value>, JsErrorBox> {
    let too_large = || JsErrorBox::range_error("the module is too large");
    let specifier = Url::parse(specifier).map_err(JsErrorBox::from_err)?;
    let name = v8::String::new(scope, specifier.as_str()).ok_or_else(too_large)?;
    let options = options.map(|options| host_options(scope, options));
    let origin = v8::ScriptOrigin::new(scope, name.into(), 0, 0, false, 0, None, false, false, false, options);
    let parameters: Vec<v8::Local<v8::String>> =
        (0..parameters.length()).filter_map(|index| parameters.get_index(scope, index)?.try_cast().ok()).collect();
    let compiled = v8::Array::new(scope, 2);
    let null = v8::null(scope).into();
    v8::tc_scope!(let scope, scope);
    let mut source = v8::script_compiler::Source::new(source, Some(&origin));
    let function = v8::script_compiler::compile_function(
        scope,
        &mut source,
        &parameters,
        &[],
        v8::script_compiler::CompileOptions::NoCompileOptions,
        v8::script_compiler::NoCacheReason::NoReason,
    );
    if let Some(function) = function {
        compiled.set_index(scope, 0, function.into());
        compiled.set_index(scope, 1, null);
        return Ok(compiled.into());
    }
    // Nothing was thrown where the hook's time is up.
    let Some(thrown) = scope.exception().filter(|_| !scope.has_terminated()) else {
        scope.rethrow();
        return Ok(null);
    };
    scope.reset();
    tell_place(scope, thrown);
    let yes = v8::Boolean::new(scope, true).into();
    let is_error = v8::Boolean::new(scope, thrown.is_native_error()).into();
    let error = v8::Array::new_with_elements(scope, &[thrown, is_error, yes]);
    compiled.set_index(scope, 0, null);
    compiled.set_index(scope, 1, error.into());
    Ok(compiled.into())
}

fn host_options<'s>(scope: &mut v8::PinScope<'s, '_>, options: v8::Local<'s, v8::Array>) -> v8::Local<'s, v8::Data> {
    let given = v8::PrimitiveArray::new(scope, options.length() as usize);
    for index in 0..options.length() {
        let option =
            options.get_index(scope, index).and_then(|option| v8::Local::<v8::Primitive>::try_from(option).ok());
        if let Some(option) = option {
            given.set(scope, index as usize, option);
        }
    }
    given.into()
}

/// Writes behind the message where V8 has found the error.
fn tell_place(scope: &mut v8::PinScope<'_, '_>, thrown: v8::Local<'_, v8::Value>) -> Option<()> {
    let error = thrown.to_object(scope).filter(|_| thrown.is_native_error())?;
    let name = v8::String::new(scope, "name")?;
    // Another one is about where the compiler ran, and not about the text.
    if error.get(scope, name.into())?.to_rust_string_lossy(scope) != "SyntaxError" {
        return None;
    }
    let found = v8::Exception::create_message(scope, thrown);
    let script = found.get_script_resource_name(scope)?.to_rust_string_lossy(scope);
    let (line, column) = (found.get_line_number(scope)?, found.get_start_column() + 1);
    let key = v8::String::new(scope, "message")?;
    let message = error.get(scope, key.into())?.to_rust_string_lossy(scope);
    let message = v8::String::new(scope, &format!("{message} at {script}:{line}:{column}"))?;
    error.define_own_property(scope, key.into(), message.into(), v8::PropertyAttribute::DONT_ENUM).map(drop)
}
